// The controls of a figure: native sliders, menus and switches, made from what `Control.about` in controls.py says.

// A control in a row: its words, the slider, and its value, which can be typed. move(position, jumps): called when the
// reader moves it; jumps: whether this is no drag, but a value that was typed, a click, or a key. Returns the row and
// show(position, places, why): the positions to which it can go from here, ascending, and why it has no effect, or "".
function makeControl(about, move) {
  const { name, kind, text, colour } = about;
  const row = element("div", { className: `wb-control wb-${kind}` });
  const words = element("span", { textContent: text });
  const label = add(row, "label", { className: colour && `wb-${colour}` });
  const make = { range: makeSlider, select: makeMenu, switch: makeSwitch }[kind];
  const [field, show] = make(move, about, row);
  field.name = name;
  label.append(...(kind === "switch" ? [field, words] : [words, field]));
  return { row, show(position, places, why) {
    field.disabled = why !== "" || places.length < 2;
    row.title = why || (places.length < 2 ? translate("Recorded with this value only") : "");
    field.ariaDescription = row.title;
    show(position, places);
  } };
}

function makeMenu(move, { labels }) {
  const field = element("select", { onchange: () => move(field.selectedIndex) });
  return [field, (position, places) => {
    while (field.length < labels.length) add(field, "option", { textContent: labels[field.length] });
    for (const [i, option] of [...field.options].entries()) option.disabled = !places.includes(i);
    if (field.selectedIndex !== position) field.selectedIndex = position; // it may be open
  }];
}

function makeSwitch(move) {
  const field = element("input", { type: "checkbox", onchange: () => move(Number(field.checked)) });
  return [field, (position) => (field.checked = position === 1)];
}

// The value is no tab stop: a digit that is typed on the slider begins it, Enter takes it, Escape does not.
function makeSlider(move, { text, labels }, row) {
  let [shown, at, there, before, drags, held] = ["", 0, [], 0, false, false];
  const field = element("input", { type: "range", min: 0, max: labels.length - 1, step: 1 });
  const value = add(row, "input", { className: "wb-typed", tabIndex: -1, autocomplete: "off", inputMode: "decimal",
    ariaLabel: translate("{control}, to be typed", { control: text }) });
  value.style.width = `calc(${Math.max(4, ...labels.map((each) => each.length))}ch + 1.6em)`;
  field.oninput = () => {
    const wanted = Number(field.value);
    let next = there[nearest(there, wanted)];
    if (next === at && !held) next = there[there.indexOf(at) + Math.sign(wanted - at)] ?? at; // a key goes to the next place
    move(next, !drags);
    drags = true;
  };
  field.onchange = () => {
    drags = false;
    field.value = at; // not between two places
  };
  field.onpointerdown = () => {
    before = at;
    held = true;
  };
  field.onpointerup = () => (held = false);
  field.onpointercancel = () => {
    held = false;
    move(before); // the finger scrolls the page
  };
  field.onkeydown = ({ key, ctrlKey, metaKey }) => {
    if (/^[\d.−-]$/.test(key) && !ctrlKey && !metaKey) value.focus();
  };
  value.onfocus = () => value.select();
  value.onchange = () => {
    const position = labels.indexOf(value.value.trim());
    const near = position < 0 ? nearest(labels.map(numberOf), numberOf(value.value)) : position;
    if (near >= 0) move(near, true);
  };
  value.onblur = () => (value.value = shown);
  value.onkeydown = ({ key }) => {
    if (key === "Escape") value.value = shown;
    if (key === "Escape" || key === "Enter") field.focus();
  };
  return [field, (position, places) => {
    [at, there] = [position, places];
    field.value = at;
    field.style.setProperty("--at", `${(100 * at) / (labels.length - 1 || 1)}%`);
    value.disabled = field.disabled;
    if (labels[position] === shown) return;
    shown = labels[position];
    field.ariaValueText = shown;
    if (!value.matches(":focus")) value.value = shown;
  }];
}

// The number that a person means: 0.25, 0,25, 1/7, 50 %, 3k; NaN for none.
function numberOf(text) {
  const [, number, below, unit] = /^\s*([-−]?[\d.,]+(?:e[-+]?\d+)?)\s*(?:\/\s*(\d+))?\s*([kM]?)/.exec(text) ?? [];
  const plain = Number(number?.replace("−", "-").replace(",", "."));
  return (plain * ({ k: 1e3, M: 1e6 }[unit] ?? 1)) / Number(below ?? 1);
}

// The index of the nearest number, or -1.
function nearest(numbers, number) {
  const apart = numbers.map((one) => Math.abs(one - number));
  const least = Math.min(...apart.filter((each) => !Number.isNaN(each)));
  return least < Infinity ? apart.indexOf(least) : -1;
}

// The position of the option with this value; of a slider the nearest; -1 if there is none.
const positionOf = ({ kind, values }, value) => (kind === "range" ? nearest(values, value) : values.indexOf(value));

// A slider that shows 1 / value of another one, and so goes the other way.
function makeInverse({ name, inverse, values, colour }, move) {
  const last = values.length - 1;
  const labels = values.map((_, i) => `${Number((1 / values[last - i]).toPrecision(3))}`);
  const about = { name: `1 / ${name}`, kind: "range", text: inverse, labels, colour };
  const { row, show } = makeControl(about, (position, ...jumps) => move(last - position, ...jumps));
  return { row, show(position, places, why) {
    show(last - position, places.map((place) => last - place).reverse(), why);
  } };
}

