// A live figure for everybody: controls with names, what is shown as tables, and no motion for those who want none.

const PLAY = { "fa-play": "play", "fa-pause": "pause", "fa-stop": "stop" };

// ipywidgets leaves sliders and icons without a name and toggle buttons without a state, and it gives the number of an
// option for its value: a screen reader would say "slider 75". Let it say "width σ, 0.25", as the page shows it.
function nameControls(figure) {
  for (const slider of figure.querySelectorAll(".widget-hslider")) {
    const [name, value] = [".widget-label", ".widget-readout"].map((part) => slider.querySelector(part));
    const text = name?.textContent ?? "";
    put(slider.querySelector(".noUi-handle"), { "aria-label": text, "aria-valuetext": value?.textContent ?? "" });
    if (value?.isContentEditable) put(value, { role: "textbox", "aria-label": `${text}, to be typed` });
  }
  for (const icon of figure.querySelectorAll(".widget-play i"))
    put(icon.parentElement, { "aria-label": PLAY[icon.className.split(" ").pop()] ?? "repeat" });
  for (const group of figure.querySelectorAll(".widget-toggle-buttons")) {
    put(group, { role: "group", "aria-label": group.querySelector(".widget-label")?.textContent || "choose" });
    for (const button of group.querySelectorAll("button"))
      put(button, { "aria-pressed": String(button.classList.contains("mod-active")) });
  }
  for (const row of figure.querySelectorAll(".nwlab-buttons, .widget-toggle-buttons")) oneStop(row);
  const fold = figure.querySelector(".nwlab-fold");
  put(fold, { "aria-expanded": String(fold?.classList.contains("mod-active")) });
}

function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// The same again whenever something moves them, before anything is read out: in the turn in which they have changed.
function keepNamed(figure) {
  if (!figure) return undefined;
  const watch = new MutationObserver(() => nameControls(figure));
  const attributeFilter = ["aria-valuetext", "class"];
  watch.observe(figure, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter });
  nameControls(figure);
  return watch;
}

// What plays goes to its end at once for a reader who has asked for less motion.
function withoutMotion(player) {
  if (!player.get("playing") || !matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  player.set({ playing: false, value: player.get("max") });
  player.save_changes();
}

// A fold with what is shown, as tables: `request` is called when it is opened, and by ask() while it is open.
function numbersFold(request) {
  const fold = element("details", { className: "nwlab-numbers" }, element("summary", { textContent: "numbers" }));
  fold.dataset.lmSuppressShortcuts = "true"; // Space and Enter open it, and do not go to JupyterLab
  const tables = element("div", { tabIndex: 0 }); // it scrolls, by keys too
  put(tables, { role: "region", "aria-label": "the numbers of the figure" });
  fold.append(tables);
  const ask = () => fold.open && request();
  fold.ontoggle = ask;
  return { fold, ask, fill: (all) => tables.replaceChildren(...all.map(makeTable)) };
}

function makeTable({ caption, head, rows }) {
  const cell = (textContent, scope) => element(scope ? "th" : "td", { textContent, ...(scope && { scope }) });
  return element("table", {},
    element("caption", { textContent: caption }),
    element("thead", {}, element("tr", {}, ...head.map((name) => cell(name, "col")))),
    element("tbody", {}, ...rows.map(([first, ...rest]) =>
      element("tr", {}, cell(first, "row"), ...rest.map((text) => cell(text))))));
}

function element(kind, settings, ...children) {
  const made = Object.assign(document.createElement(kind), settings);
  made.append(...children);
  return made;
}

