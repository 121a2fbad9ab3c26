// Before the first paint: the theme that the person chose, if any.
try {
  var chosen = localStorage.getItem("hydramind.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (refused) {
  // Storage may be forbidden; the system's theme holds then.
}
