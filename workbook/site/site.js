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

// --- questions

for (const root of document.querySelectorAll(".wb-asks")) ask(root, JSON.parse(root.dataset.ask));
for (const root of document.querySelectorAll(".wb-sketch")) sketch(root, JSON.parse(root.dataset.sketch));
