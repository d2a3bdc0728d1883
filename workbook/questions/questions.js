// Questions that are judged at once. The response to every answer is in `about`, see workbook/questions/pieces.py.

const child = (parent, kind, settings) => parent.appendChild(Object.assign(document.createElement(kind), settings));

let asked = 0;
// given: all answers to each question so far; keep(given) is called after each answer, and answered(i, guess) after each
// valid one to a question whose answer a figure shows. Returns show(i, guess, figure): names the guess beside the figure,
// which is found by figure(), or above its picture in HTML.
function ask(root, { pieces, counts, fold }, given = [], keep = () => {}, answered = () => {}) {
  root.replaceChildren();
  root.dataset.lmSuppressShortcuts = "true"; // keys are for the buttons, and not for JupyterLab
  const place = fold ? child(root, "details", { className: "wb-asked" }) : root;
  if (fold) child(place, "summary", { textContent: fold });
  const answers = pieces.map((_, i) => [...(given[i] ?? [])]);
  const verdicts = pieces.map(() => null); // of the first answer to each
  const count = Object.assign(document.createElement("div"), { className: "wb-ask-count" });
  const recount = () => {
    if (counts) count.innerHTML = counts[verdicts.filter((one) => one === true).length][verdicts.filter((one) => one === false).length];
  };
  const places = pieces.map((piece, i) => {
    const box = child(place, "div", { className: "wb-ask" });
    if (piece.title) child(box, "div", { className: "wb-ask-title", textContent: piece.title });
    const text = child(box, "div", { id: `wb-asked-${++asked}`, innerHTML: piece.text });
    box.setAttribute("role", "group");
    box.setAttribute("aria-labelledby", text.id);
    const respond = (piece.names ? choice : number)(box, piece, (answer) => {
      answers[i].push(answer);
      keep(answers.map((each) => [...each]));
      if (show(answer) !== null && piece.shows) answered(i, piece.names ? piece.names[answer].slice(2) : answer.trim());
    });
    const shown = piece.shows && child(box, "div", { className: "wb-shown-by" });
    const feedback = child(box, "div");
    const show = (answer) => {
      const { words, right } = respond(answer);
      feedback.innerHTML = words;
      if (right !== null) verdicts[i] ??= right;
      recount();
      return right;
    };
    answers[i].forEach(show);
    return shown;
  });
  if (counts) place.append(count);
  recount();
  return (i, guess, figure) => {
    const place = places[i];
    place.replaceChildren();
    if (typeof figure === "string") {
      place.innerHTML = figure;
      return nameGuess(place, guess);
    }
    place.append(translate("The figure above shows it now."));
    if (!figure()) return;
    nameGuess(figure(), guess);
    child(place, "button", { type: "button", className: "jupyter-button wb-option", textContent: translate("look at it ↑") }).onclick = () =>
      figure().scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  };
}

// In a notebook Python lets the figure answer, and says in `shown` where it is.
function renderQuestions({ model, el }) {
  const keep = (given) => {
    model.set("given", given);
    model.save_changes();
  };
  const show = ask(el, model.get("about"), model.get("given"), keep, (i, guess) => model.send({ i, guess }));
  const showAll = () => {
    for (const [i, { guess, above, picture }] of Object.entries(model.get("shown")))
      show(i, guess, picture ?? (() => document.querySelector(`.${above}`)));
  };
  model.on("change:shown", showAll);
  showAll();
}

function nameGuess(figure, guess) {
  const note = figure.querySelector(":scope > .wb-guess") ?? child(figure, "p", { className: "wb-guess" });
  note.textContent = translate("Your guess: ");
  child(note, "b", { textContent: guess });
}

// The controls of a question; returns what answers it: from the answer to the words, and whether it is right, or null.
function choice(box, { names, chosen, responses, right }, give) {
  const buttons = names.map((name, i) => {
    const button = child(box, "button", { type: "button", className: "jupyter-button wb-option", textContent: name });
    button.onclick = () => give(i);
    return button;
  });
  return (i) => {
    buttons.forEach((button, j) => {
      button.textContent = i === j ? chosen[i] : names[j];
      button.classList.toggle("wb-chosen", i === j);
      button.setAttribute("aria-pressed", i === j);
    });
    return { words: responses[i], right: i === right };
  };
}

function number(box, { number: answer, tolerance, responses, unit }, give) {
  const form = child(box, "form", { className: "wb-number" });
  const field = child(form, "input", { type: "text", placeholder: translate("a number"), inputMode: "text", autocomplete: "off" });
  field.setAttribute("aria-label", translate("a number"));
  child(form, "span", { innerHTML: unit });
  child(form, "button", { className: "jupyter-button wb-option", textContent: translate("commit") });
  form.onsubmit = (event) => {
    event.preventDefault();
    give(field.value);
  };
  field.onkeydown = (event) => {
    if (event.key === "Enter") form.onsubmit(event); // by itself it does nothing in JupyterLab
  };
  return (typed) => {
    field.value = typed;
    const [guess, shown] = [typedNumber(typed), child(document.createElement("p"), "span", { textContent: typed.trim() })];
    if (!typed.trim()) return { words: responses.none, right: null };
    if (!Number.isFinite(guess)) return { words: responses.other.replace("¤", () => shown.innerHTML), right: null };
    if (Math.abs(guess - answer) <= tolerance + 1e-12) return { words: guess === answer ? responses.exact : responses.near, right: true };
    return { words: guess > answer ? responses.high : responses.low, right: false };
  };
}

// A number as people type it: with a comma for a point, a minus sign, or as a fraction 1/3.
function typedNumber(text) {
  const parts = text.replaceAll(",", ".").replaceAll("−", "-").split("/").map((part) => part.trim());
  const fine = parts.length < 3 && parts.every((part) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part));
  return fine ? parts[0] / (parts[1] ?? 1) : NaN;
}
