// What a deck adds to the site's figures and questions: they fit their slides, and keys reach the one that is meant.

document.documentElement.dataset.theme = "light";

// A figure is laid out as on a page, and made as large as its slide; text is made as small as it has to be.
function fill(root) {
  const [wide, high] = [root.parentElement.clientWidth, root.parentElement.clientHeight];
  const scale = Math.min(wide / root.offsetWidth, high / root.offsetHeight);
  const left = (wide - scale * root.offsetWidth) / 2;
  root.style.transform = `translate(${left}px, 0) scale(${scale})`;
  dispatchEvent(new Event("resize")); // whoever draws asks how large
}
const filling = new ResizeObserver((entries) => {
  for (const { target } of entries) fill(target);
});

function shrink() {
  const slide = Reveal.getCurrentSlide();
  for (let size = 100; slide.scrollHeight > slide.clientHeight && size > 50; size -= 2) slide.style.fontSize = `${size}%`;
}
shrink();
Reveal.on("slidechanged", shrink);

for (const root of document.querySelectorAll(".wb-recorded, .wb-sketch")) {
  filling.observe(root);
  root.dataset.preventSwipe = "";
  root.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (/^Page/.test(key)) target.blur(); // what a clicker sends
    else if (event.defaultPrevented || key === " " || key === "Enter" || target.matches("select")) event.stopPropagation();
  });
}
