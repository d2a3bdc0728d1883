// What all parts of a figure use: elements; a row of buttons with one tab stop; the sentence, which is spoken too; and
// the numbers as tables.

// A row of buttons is one tab stop; arrow keys move the focus from one button to the next. Returns a function to be
// called after buttons were switched on or off.
function oneStop(...buttons) {
  const able = () => buttons.filter((button) => !button.disabled);
  const stop = (chosen) => {
    for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
  };
  for (const button of buttons) button.onkeydown = ({ key }) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (!step) return;
    const next = able().at((able().indexOf(button) + step) % able().length);
    stop(next);
    next.focus();
  };
  return () => stop(able().find((button) => button.tabIndex === 0) ?? able()[0]);
}

// A place that is not seen; screen readers read its words out once they have stayed the same for so many milliseconds.
function speaker(milliseconds) {
  const place = element("div", { className: "wb-spoken", role: "status" });
  let timer = 0;
  return { place, say(words) {
    clearTimeout(timer);
    timer = setTimeout(() => (place.textContent = words), milliseconds);
  } };
}

// The sentence below a figure; screen readers read it out once it stays the same. It lies over invisible words that are
// as long as the longest sentence, so what is below never moves.
class Sentence {
  // light(name): called when the reader points at a term or focuses it, with the name of its marks; afterwards with "".
  constructor(parent, longest, light) {
    this.place = element("div", { className: "wb-words" });
    this.reserve(longest);
    this.shown = element("p", { className: "wb-sentence" });
    this.speaker = speaker(800);
    this.place.append(this.shown);
    for (const kind of ["pointerover", "focusin", "pointerleave", "focusout"])
      this.place.addEventListener(kind, ({ target }) =>
        light(/over|in$/.test(kind) ? target.closest("[data-mark]")?.dataset.mark ?? "" : ""));
    parent.append(this.place, this.speaker.place);
  }

  say(words) {
    this.words = words;
    this.shown.innerHTML = words.replace(/ %/g, "\u00a0%").replace(/ = /g, "\u00a0=\u00a0"); // not over two lines
    this.speaker.say(this.shown.textContent);
    for (const term of this.shown.querySelectorAll("[data-mark]"))
      Object.assign(term, { tabIndex: 0, role: "button" });
    this.reserve(this.shown.textContent.length); // names in a reader's own data may be long
  }

  reserve(length) {
    if (length <= this.longest) return;
    this.longest = length;
    this.place.dataset.room = "the answer is 0.25: ".repeat(Math.ceil(length / 20));
  }
}

// A fold with tables of the numbers that are shown. request() is called when it is opened, and by ask() while it is
// open.
function tablesFold(request) {
  const fold = element("details", { className: "wb-tables" }, element("summary", { textContent: translate("numbers") }));
  const tables = add(fold, "div", { role: "region", ariaLabel: translate("the numbers of the figure"),
    tabIndex: 0 }); // so that keys scroll it
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

