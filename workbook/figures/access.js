// Accessibility of a live figure: controls with names and few tab stops, what it shows in words and as tables, and less
// motion for those who prefer it.

const PLAY = { "fa-play": "play", "fa-pause": "pause", "fa-stop": "stop" };

// ipywidgets gives sliders and icons no name and toggle buttons no state, and reports the number of an option instead
// of its value: a screen reader would say "slider 75". With these attributes it says "width σ, 0.25", as the page shows
// it.
function nameSlider(slider) {
  const [name, value] = [".widget-label", ".widget-readout"].map((part) => slider.querySelector(part));
  const text = name?.textContent ?? "";
  put(slider.querySelector(".noUi-handle"), { "aria-label": text, "aria-valuetext": value?.textContent ?? "" });
  if (value?.isContentEditable) put(value, { role: "textbox", "aria-label": `${text}, to be typed` });
}

function nameControls(figure) {
  figure.querySelectorAll(".widget-hslider").forEach(nameSlider);
  for (const icon of figure.querySelectorAll(".widget-play i"))
    put(icon.parentElement, { "aria-label": PLAY[icon.className.split(" ").pop()] ?? "repeat" });
  figure.querySelectorAll(".wb-buttons").forEach(oneStop);
  const fold = figure.querySelector(".wb-fold");
  put(fold, { "aria-expanded": String(fold?.classList.contains("mod-active")) });
}

// A row of buttons is one tab stop; arrow keys move the focus from one button to the next.
function oneStop(row) {
  const buttons = [...row.querySelectorAll("button:not(.wb-fold)")];
  const stop = (chosen) => {
    for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
  };
  if (buttons.filter((button) => button.tabIndex === 0).length > 1) stop(buttons.find((button) => !button.disabled));
  row.dataset.lmSuppressShortcuts = "true"; // JupyterLab's own arrow keys go to another cell
  row.onkeydown = ({ key, target }) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    const able = buttons.filter((button) => !button.disabled);
    if (!step || !able.includes(target)) return;
    const next = able.at((able.indexOf(target) + step) % able.length);
    stop(next);
    next.focus();
  };
}

function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// Name the controls again whenever they change: an observer is called before a screen reader could read anything out.
function keepNamed(figure) {
  if (!figure) return undefined;
  const watch = new MutationObserver((changes) => {
    const sliders = new Set(changes.map(({ target }) => (target.closest ? target : target.parentElement)
      ?.closest(".widget-hslider")));
    if ([...sliders].every(Boolean)) sliders.forEach(nameSlider);
    else nameControls(figure);
  });
  const attributeFilter = ["aria-valuetext", "class"];
  watch.observe(figure, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter });
  nameControls(figure);
  return watch;
}

// For a reader who prefers less motion, a play button jumps to its end at once.
function withoutMotion(button) {
  if (!button.get("playing") || !matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  button.set({ playing: false, value: button.get("max") });
  button.save_changes();
}

// The sentence below a figure; screen readers read it out once it stays the same. It lies over invisible words that are
// as long as the longest sentence, so what is below never moves.
class Sentence {
  // light(name): called when the reader points at a term or focuses it, with the name of its marks; afterwards with "".
  constructor(parent, longest, light) {
    this.place = element("div", { className: "wb-words" });
    this.reserve(longest);
    this.shown = element("p", { className: "wb-sentence" });
    this.spoken = element("div", { className: "wb-spoken" });
    put(this.spoken, { role: "status" });
    this.place.append(this.shown);
    for (const kind of ["pointerover", "focusin", "pointerleave", "focusout"])
      this.place.addEventListener(kind, ({ target }) =>
        light(/over|in$/.test(kind) ? target.closest("[data-mark]")?.dataset.mark ?? "" : ""));
    parent.append(this.place, this.spoken);
  }

  say(words) {
    if (words === this.words) return;
    this.words = words;
    this.shown.innerHTML = words;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.spoken.textContent = this.shown.textContent), 800);
    for (const term of this.shown.querySelectorAll("[data-mark]")) put(term, { tabindex: 0, role: "button" });
    this.reserve(this.shown.textContent.length); // names in a reader's own data may be long
  }

  reserve(length) {
    if (length <= this.longest) return;
    this.longest = length;
    this.place.dataset.room = "the answer is 0.25: ".repeat(Math.ceil(length / 20));
  }

  stop() {
    clearTimeout(this.timer);
  }
}

// A fold with tables of the numbers that are shown. request() is called when it is opened, and by ask() while it is
// open.
function tablesFold(request) {
  const fold = element("details", { className: "wb-tables" }, element("summary", { textContent: "numbers" }));
  fold.dataset.lmSuppressShortcuts = "true"; // Space and Enter open it and do not reach JupyterLab
  const tables = element("div", { tabIndex: 0 }); // with a tab stop, so that keys scroll it
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

function add(parent, kind, settings) {
  return parent.appendChild(element(kind, settings));
}

