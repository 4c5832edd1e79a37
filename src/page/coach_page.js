// The page that `zebu coach` writes: all that is known, without an engine.

document.addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  $("theme").addEventListener("click", () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });
  const data = JSON.parse($("data").textContent);
  $("overview").append(...overviewParts());
  showOverview(data);
  new Trainer($("trainer"), data.exercises);
});
