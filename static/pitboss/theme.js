// Runs before the first paint, so that a light tablet never flashes dark: the theme this device was given, and a mark that
// script is there (keypads and dots are shown only then).
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("pitboss-theme");
    if (theme) root.dataset.theme = theme;
  } catch {
    // Storage may be closed to us; the house's dark theme is then right.
  }
})();
