//! Runs the built program in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is removed after the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let own = format!("forge-test-{}-{name}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(own);
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        Folder(folder)
    }

    /// A command line.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forge"));
        command.current_dir(&self.0).args(words.split_whitespace());
        command
    }

    fn output(&self, words: &str) -> Output {
        self.command(words).output().expect("the workshop runs")
    }

    /// Its output, when it succeeds.
    pub fn run(&self, words: &str) -> String {
        let output = self.output(words);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {complaint}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Its standard error, when it succeeds.
    pub fn warnings(&self, words: &str) -> String {
        let output = self.output(words);
        let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{words}: {warnings}");
        warnings
    }

    /// Its error in one line, when it fails.
    pub fn complaint(&self, words: &str) -> String {
        let output = self.output(words);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{words}: {complaint}");
        complaint
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("the file can be read")
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).expect("the file can be written");
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.0.join(name)).expect("the file can be removed");
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}
