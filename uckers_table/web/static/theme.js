// Runs before anything is drawn, so that a dark mess is not lit up by the wrong theme.
document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";
