// A question that readers answer by drawing a line over empty axes; then it is compared with the truth.

const [WIDEST, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [620, 300, 56, 12, 12, 44]; // pixels
const CLOSE = 0.1; // how far off a line may be on average, as a share of the range of the truth
const PEN = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// keep(verdict) is called after each. about: see `axes_of` in workbook/questions/sketch.py; truth has a height from 0 to 1 for each of the columns.
function sketch(root, about, keep = () => {}) {
  const { truth, xs, low, high, dots, ticks, names } = about;
  const [last, line] = [truth.length - 1, truth.map(() => null)];
  let [pen, shown, wide] = [{ column: 0, height: 0.5 }, false, WIDEST];
  const x = (column) => LEFT + (column / last) * (wide - LEFT - RIGHT);
  const y = (height) => TOP + (1 - height) * (HIGH - TOP - BOTTOM);
  const text = (words, at, more = "") => `<text x="${at[0]}" y="${at[1]}" ${more}>${words}</text>`;
  root.classList.add("wb-ask");
  root.innerHTML = `${about.head}
    <svg class="wb-paper" tabindex="0" role="application"><g class="wb-frame"></g>
      <g class="wb-revealed"><path class="wb-gap"/><path class="wb-truth"/></g>
      <path class="wb-drawn"/><circle class="wb-pen" r="5"/><g class="wb-names"></g>
    </svg>
    <div class="wb-sketch-row"><button type="button" class="jupyter-button wb-option">${translate("show the truth")}</button>
      <button type="button" class="jupyter-button wb-option">${translate("draw again")}</button>
      <span class="wb-sketch-hint">${translate("Draw from left to right, with the pointer or with the arrow keys.")}</span></div>
    <div role="status" class="wb-sketch-said"></div>`;
  const [paper, said, hint] = ["svg", ".wb-sketch-said", ".wb-sketch-hint"].map((one) => root.querySelector(one));
  const [show, again] = root.querySelectorAll("button");
  paper.setAttribute("aria-label", translate("empty axes: {across}, {up}. Arrow keys move the pen, faster with Shift.",
    { across: names[0], up: names[1] }));
  paper.dataset.lmSuppressShortcuts = "true";

  const path = (heights) => heights.map((height, i) => height === null ? "" :
    `${heights[i - 1] == null ? "M" : "L"}${x(i).toFixed(1)},${y(height).toFixed(1)}`).join("");
  // The area between the line and the truth, a piece from each column to the next.
  const gap = () => truth.slice(1).map((_, i) => line[i] === null || line[i + 1] === null ? "" :
    `M${x(i)},${y(line[i])}L${x(i + 1)},${y(line[i + 1])}V${y(truth[i + 1])}L${x(i)},${y(truth[i])}Z`).join("");
  function redraw() {
    root.querySelector(".wb-drawn").setAttribute("d", path(line));
    root.querySelector(".wb-truth").setAttribute("d", shown ? path(truth) : "");
    root.querySelector(".wb-gap").setAttribute("d", shown ? gap() : "");
    paper.classList.toggle("wb-shown", shown);
    root.querySelector(".wb-names").innerHTML = shown ? bothNames() : "";
    const dot = root.querySelector(".wb-pen");
    dot.setAttribute("cx", x(pen.column));
    dot.setAttribute("cy", y(pen.height));
    show.disabled = shown || line.filter((height) => height !== null).length < 0.9 * line.length;
    again.disabled = line.every((height) => height === null);
  }

  // The names of the lines, where they are farthest apart: one above the upper, one below the lower, beside its slope.
  function bothNames() {
    const apart = truth.map((height, i) => i < 0.15 * last || i > 0.85 * last || line[i] === null ? -1 : Math.abs(line[i] - height));
    const at = apart.indexOf(Math.max(...apart));
    const above = truth[at] >= line[at];
    const name = (words, kind, heights, up) => {
      const rise = (heights[at + 4] ?? heights[at]) - (heights[at - 4] ?? heights[at]);
      const anchor = Math.abs(rise) < 0.03 ? "middle" : rise > 0 === up ? "end" : "start";
      const place = Math.min(Math.max(y(heights[at]) + (up ? -9 : 19), 14), HIGH - BOTTOM - 6);
      return text(words, [x(at), place], `text-anchor="${anchor}" class="${kind}"`);
    };
    return name(translate("the truth"), "wb-of-truth", truth, above) + name(translate("your line"), "wb-of-line", line, !above);
  }

  // At the size in which it is shown, so that letters stay as large on a phone.
  function layOut() {
    wide = Math.min(paper.clientWidth || WIDEST, WIDEST); // without the scale of a slide
    paper.setAttribute("viewBox", `0 0 ${wide} ${HIGH}`);
    const every = ticks[0].length * 50 > wide - LEFT ? 2 : 1;
    root.querySelector(".wb-frame").innerHTML = `<path class="wb-axes" d="M${LEFT},${TOP}V${HIGH - BOTTOM}H${wide - RIGHT}"/>
      ${ticks[0].map(([at, words], i) => i % every ? "" : text(words, [x(at * last), HIGH - BOTTOM + 18], 'text-anchor="middle"')).join("")}
      ${ticks[1].map(([at, words]) => text(words, [LEFT - 6, y(at) + 4], 'text-anchor="end"')).join("")}
      ${text(names[0], [(LEFT + wide - RIGHT) / 2, HIGH - 6], 'text-anchor="middle"')}
      ${text(names[1], [-(TOP + HIGH - BOTTOM) / 2, 13], 'text-anchor="middle" transform="rotate(-90)"')}
      ${dots.map(([at, height]) => `<circle cx="${x(at * last)}" cy="${y(height)}" r="4.5"/>`).join("")}`;
    redraw();
  }

  function lineTo({ column, height }) {
    const step = column < pen.column ? -1 : 1;
    for (let i = pen.column; i !== column + step; i += step) {
      const share = column === pen.column ? 1 : (i - pen.column) / (column - pen.column);
      line[i] = pen.height + share * (height - pen.height);
    }
    pen = { column, height };
    redraw();
  }

  const within = (value, most) => Math.min(Math.max(value, 0), most);
  function under(event) {
    const box = paper.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * wide;
    const down = ((event.clientY - box.top) / box.height) * HIGH;
    return { column: within(Math.round((across - LEFT) / (wide - LEFT - RIGHT) * last), last),
      height: within(1 - (down - TOP) / (HIGH - TOP - BOTTOM), 1) };
  }
  paper.onpointerdown = (event) => {
    if (shown || event.button !== 0) return;
    paper.setPointerCapture(event.pointerId);
    pen = under(event);
    lineTo(pen);
  };
  paper.onpointermove = (event) => {
    if (!shown && paper.hasPointerCapture(event.pointerId)) lineTo(under(event));
  };
  paper.onkeydown = (event) => {
    const way = PEN[event.key];
    if (!way || shown) return;
    event.preventDefault();
    event.stopPropagation();
    const by = event.shiftKey ? 5 : 1;
    pen = { ...pen, height: within(pen.height + 0.02 * by * way[1], 1) };
    lineTo({ ...pen, column: within(pen.column + by * way[0], last) });
    said.textContent = `${names[0]} ${xs[pen.column]}, ${names[1]} ${number(low + pen.height * (high - low))}`;
  };

  const number = (value) => String(Number(value.toPrecision(3))).replace("-", "−");
  show.onclick = () => {
    const apart = truth.flatMap((height, i) => line[i] === null ? [] : [Math.abs(line[i] - height)]);
    const range = Math.max(...truth) - Math.min(...truth);
    const mean = apart.reduce((sum, one) => sum + one, 0) / apart.length;
    const off = mean / range;
    shown = true;
    redraw();
    const [verdict, shownAs, kind] = off <= CLOSE ? ["Close", translate("Close."), "right"] : off <= 2.5 * CLOSE ? ["Near, in parts", translate("Near, in parts."), "near"] :
      ["Another shape", translate("Another shape."), "wrong"];
    keep(verdict);
    said.innerHTML = `<p class="wb-verdict wb-${kind}"><b>${shownAs}</b></p>
      ${translate("On average your line is {off} away from the truth, which spans {range}.",
        { off: number(mean * (high - low)), range: number(range * (high - low)) })}<p>${about.why}</p>`;
  };
  again.onclick = () => {
    line.fill(null);
    [pen, shown, said.textContent] = [{ column: 0, height: 0.5 }, false, ""];
    redraw();
    paper.focus();
  };
  hint.onclick = () => paper.focus();
  new ResizeObserver(layOut).observe(paper);
  layOut();
}
