// A live figure for everybody: controls with names and few stops of the Tab key, what is shown in words and as tables,
// and no motion for those who want none.

const PLAY = { "fa-play": "play", "fa-pause": "pause", "fa-stop": "stop" };

// ipywidgets leaves sliders and icons without a name and toggle buttons without a state, and it gives the number of an
// option for its value: a screen reader would say "slider 75". Let it say "width σ, 0.25", as the page shows it.
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

// A row of buttons is one stop of the Tab key; arrow keys go from one to the next.
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

// The same again whenever something moves them, before anything is read out: in the turn in which they have changed.
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

// What plays goes to its end at once for a reader who prefers less motion.
function withoutMotion(player) {
  if (!player.get("playing") || !matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  player.set({ playing: false, value: player.get("max") });
  player.save_changes();
}

// The sentence below a figure; screen readers hear it at rest. It lies over invisible words as long as the longest
// sentence, so what is below never moves.
class Sentence {
  // light: called with the name of the marks whose term is pointed at, or has the focus, and then with "".
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
    this.reserve(this.shown.textContent.length); // names of a reader's own may be long
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

// A fold with what is shown, as tables: `request` is called when it is opened, and by ask() while it is open.
function numbersFold(request) {
  const fold = element("details", { className: "wb-numbers" }, element("summary", { textContent: "numbers" }));
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

function add(parent, kind, settings) {
  return parent.appendChild(element(kind, settings));
}

