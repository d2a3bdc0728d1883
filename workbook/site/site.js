// What a page of the site adds to its recorded figures: they are loaded when they come near, and questions answer.

// --- figures

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    keep(target, (narrow) => load(target, narrow));
  }
}, { rootMargin: "600px" });

// A recording is a program that hands over its data: pages opened as files may not read anything else.
const waiting = new Map();
window.figureRecorded = (name, data) => waiting.get(name)(data);

function load(root, narrow) {
  const path = `${root.dataset.recording}-${narrow ? "narrow" : "wide"}`;
  return new Promise((resolve, reject) => {
    waiting.set(path.split("/").pop(), resolve);
    add(document.head, "script", { src: `${path}.js`, onerror: () => reject(new Error(`${path}.js is missing`)) });
  });
}

for (const root of document.querySelectorAll(".wb-recorded[data-recording]")) near.observe(root);

// --- contents: the section that is read is marked, of which the theme's program loses sight when one jumps

const contents = document.getElementById("pst-page-toc-nav");
contents?.removeAttribute("id");        // that program looks for it
const entries = [...(contents?.querySelectorAll("a") ?? [])];
const begins = ({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))).getBoundingClientRect().top;

// It begins above a line in the window, which sinks to its foot where the page ends: there it is what one jumped to.
function mark() {
  const left = document.documentElement.scrollHeight - innerHeight - scrollY;
  const jumped = left < 2 && entries.find((one) => one.hash === location.hash && begins(one) >= 0);
  const read = jumped || entries.findLast((one) => begins(one) < innerHeight - Math.min(left, 0.7 * innerHeight));
  for (const one of contents?.querySelectorAll("li, a") ?? []) one.classList.toggle("active", one.contains(read));
  for (const one of entries) one.ariaCurrent = one === read ? "true" : null;
}

for (const name of ["scroll", "hashchange"]) addEventListener(name, mark);
new ResizeObserver(mark).observe(document.body);

// --- questions

// The recorded figure above that takes the state, if there is one.
function answers(root, { figure, state }) {
  const above = [...document.querySelectorAll(`.wb-recorded[data-recording*="/${figure}-"]`)].reverse().filter((one) =>
    one.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING);
  return above.find((one) => !one.dispatchEvent(new CustomEvent("wb-show", { detail: state, cancelable: true })));
}

for (const root of document.querySelectorAll(".wb-asks")) {
  const about = JSON.parse(root.dataset.ask);
  const show = ask(root, about, [], () => {}, (i, guess) => {
    const figure = answers(root, about.pieces[i].shows);
    if (figure) show(i, guess, () => figure);
  });
}
for (const root of document.querySelectorAll(".wb-sketch")) sketch(root, JSON.parse(root.dataset.sketch));
