// What a page of the site adds to its recorded figures: they are loaded when they come near, and questions answer.

// --- figures

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    load(target);
  }
}, { rootMargin: "600px" });

// A recording is a program that hands over its data: pages opened as files may not read anything else.
const waiting = new Map();
window.figureRecorded = (name, data) => waiting.get(name)(data);

async function load(root) {
  const path = `${root.dataset.recording}-${isNarrow(root) ? "narrow" : "wide"}`;
  const name = path.split("/").pop();
  const still = [...root.childNodes];
  try {
    const data = await new Promise((resolve, reject) => {
      waiting.set(name, resolve);
      add(document.head, "script", { src: `${path}.js`, onerror: () => reject(new Error(`${path}.js is missing`)) });
    });
    await play(root, data);
    for (const one of still) one.remove();
  } catch (error) {
    console.error("a recorded figure could not be shown", error);
  }
}

for (const root of document.querySelectorAll(".wb-recorded[data-recording]")) near.observe(root);

// --- questions: the response to every answer was recorded when the site was made

let asked = 0;
function ask(root) {
  const { pieces, counts } = JSON.parse(root.dataset.ask);
  root.replaceChildren();
  const verdicts = pieces.map(() => null); // the first of each
  const count = counts && element("div", { className: "wb-ask-count" });
  const recount = () => (count.innerHTML = counts[verdicts.filter((one) => one === true).length][verdicts.filter((one) => one === false).length]);
  pieces.forEach((piece, i) => {
    const box = add(root, "div", { className: "wb-ask" });
    if (piece.title) add(box, "div", { className: "wb-ask-title", textContent: piece.title });
    const text = add(box, "div", { id: `wb-asked-${++asked}`, innerHTML: piece.text });
    box.setAttribute("role", "group");
    box.setAttribute("aria-labelledby", text.id);
    const say = (words, right) => {
      feedback.innerHTML = words;
      if (right !== null) verdicts[i] ??= right;
      if (counts) recount();
    };
    (piece.names ? choice : number)(box, piece, say);
    const feedback = add(box, "div");
  });
  if (!counts) return;
  root.append(count);
  recount();
}

function choice(box, { names, chosen, responses, right }, say) {
  const buttons = names.map((name, i) => {
    const button = add(box, "button", { type: "button", className: "jupyter-button wb-option", textContent: name });
    button.onclick = () => {
      buttons.forEach((other, j) => {
        other.textContent = i === j ? chosen[i] : names[j];
        other.classList.toggle("wb-chosen", i === j);
        other.setAttribute("aria-pressed", i === j);
      });
      say(responses[i], i === right);
    };
    return button;
  });
}

function number(box, { number: answer, tolerance, responses, unit, commit, hint }, say) {
  const form = add(box, "form", { className: "wb-number" });
  const field = add(form, "input", { type: "text", placeholder: hint, inputMode: "text", autocomplete: "off" });
  field.setAttribute("aria-label", hint);
  add(form, "span", { innerHTML: unit });
  add(form, "button", { className: "jupyter-button wb-option", textContent: commit });
  form.onsubmit = (event) => {
    event.preventDefault();
    const guess = typedNumber(field.value);
    if (!field.value.trim()) return say(responses.none, null);
    if (!Number.isFinite(guess)) {
      say(responses.other, null);
      const words = box.lastChild.firstChild;
      words.textContent = words.textContent.replace("¤", field.value.trim());
    } else if (Math.abs(guess - answer) <= tolerance + 1e-12) say(guess === answer ? responses.exact : responses.near, true);
    else say(guess > answer ? responses.high : responses.low, false);
  };
}

// What `read_number` in workbook/questions/questions.py reads: a comma for a point, a minus sign, a fraction 1/3.
function typedNumber(text) {
  const parts = text.replaceAll(",", ".").replaceAll("−", "-").split("/").map((part) => part.trim());
  const fine = parts.length < 3 && parts.every((part) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part));
  return fine ? parts[0] / (parts[1] ?? 1) : NaN;
}

for (const root of document.querySelectorAll(".wb-asks")) ask(root);
for (const root of document.querySelectorAll(".wb-sketch")) sketch(root, JSON.parse(root.dataset.sketch));
