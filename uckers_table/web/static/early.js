// Runs before anything is drawn, so that a dark mess is not lit up by the wrong theme.
document.documentElement.dataset.theme = new URLSearchParams(location.search).get("theme") || localStorage.getItem("theme") || "auto";
// A page that does not know its table after a second says so, even while its other scripts are on their way.
setTimeout(() => {
  const line = document.getElementById("not-yet");
  if (line) line.textContent = "Waiting for the table …";
}, 1_000);
