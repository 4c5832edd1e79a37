class Zebu < Formula
  desc "Chess engine with a board of its own in the browser"
  homepage "ADDRESS"
  version "VERSION"
  license "GPL-3.0-or-later"
  on_macos do
    on_arm do
      url "ADDRESS/releases/download/vVERSION/zebu-VERSION-macos-arm64.tar.gz"
      sha256 "SHA256(macos-arm64.tar.gz)"
    end
  end
  on_linux do
    on_intel do
      url "ADDRESS/releases/download/vVERSION/zebu-VERSION-linux-x86-64-v2.tar.gz"
      sha256 "SHA256(linux-x86-64-v2.tar.gz)"
    end
    on_arm do
      url "ADDRESS/releases/download/vVERSION/zebu-VERSION-linux-arm64.tar.gz"
      sha256 "SHA256(linux-arm64.tar.gz)"
    end
  end

  def install
    bin.install "zebu"
  end

  test do
    assert_match "uciok", pipe_output(bin/"zebu", "uci\n")
  end
end
