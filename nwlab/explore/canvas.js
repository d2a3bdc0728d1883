// The browser's half of a live figure: paint the frames that Python draws, and say what the reader does.
//
// Python sends {type: "frame", id, x, y, width, height, ratio, sentence} with a PNG of the rectangle that changed. Every
// fourth painted frame is acknowledged, and Python goes on only then: however fast a slider is dragged, nothing queues
// up. (Every message costs JupyterLab some milliseconds, so there are as few as will do.)

function render({ model, el }) {
  el.classList.add("nwlab");
  const canvas = document.createElement("canvas");
  canvas.className = "nwlab-canvas";
  canvas.tabIndex = model.get("handled_keys").length ? 0 : -1;
  canvas.setAttribute("role", "img");
  canvas.dataset.lmSuppressShortcuts = "true"; // JupyterLab's own keys (delete cell, ...) stay out of the figure
  canvas.style.height = model.get("height") + "px"; // keeps the page from jumping when the first frame arrives
  const sentence = document.createElement("p");
  sentence.className = "nwlab-sentence";
  const spoken = document.createElement("div"); // for screen readers, once the figure has come to rest
  spoken.className = "nwlab-spoken";
  spoken.setAttribute("role", "status");
  el.append(canvas, sentence, spoken);
  const context = canvas.getContext("2d");

  let said = "";
  let timer = 0;
  function say(words) {
    if (words === said) return;
    sentence.innerHTML = said = words;
    clearTimeout(timer);
    timer = setTimeout(() => {
      spoken.textContent = sentence.textContent;
      canvas.setAttribute("aria-label", model.get("label") + ". " + sentence.textContent);
    }, 600);
  }

  let queue = Promise.resolve(); // frames are patches: they are painted in the order in which they were sent
  function paint(message, buffers) {
    if (message.type === "handled") return release();
    if (message.type !== "frame") return;
    const picture = createImageBitmap(new Blob([buffers[0]], { type: "image/png" }));
    queue = queue
      .then(() => picture)
      .then((image) => {
        if (canvas.width !== message.width || canvas.height !== message.height) {
          canvas.width = message.width;
          canvas.height = message.height;
          canvas.style.width = message.width / message.ratio + "px";
          canvas.style.height = message.height / message.ratio + "px";
        }
        context.drawImage(image, message.x, message.y);
        image.close();
        canvas.dataset.frame = message.id;
        say(message.sentence);
      })
      .catch((error) => console.error("nwlab: a frame could not be painted", error))
      .then(() => message.id % 4 === 0 && model.send({ type: "painted", id: message.id }));
  }

  // One event at a time is under way; while Python is busy, only the latest move is kept.
  let busy = false;
  let waiting = null;
  let watchdog = 0;
  function tell(message) {
    if (busy) {
      waiting = message;
      return;
    }
    busy = true;
    clearTimeout(watchdog);
    watchdog = setTimeout(release, 2000);
    model.send(message);
  }
  function release() {
    busy = false;
    const next = waiting;
    waiting = null;
    if (next) tell(next);
  }

  function pointer(kind) {
    return (event) => {
      const box = canvas.getBoundingClientRect();
      if (kind === "down") canvas.setPointerCapture(event.pointerId);
      const ratio = canvas.width / box.width; // y counts from the bottom, as in Matplotlib
      const x = (event.clientX - box.left) * ratio;
      const y = (box.bottom - event.clientY) * ratio;
      tell({ type: "pointer", kind, x, y, pressed: event.buttons % 2 === 1 });
    };
  }
  canvas.addEventListener("pointerdown", pointer("down"));
  canvas.addEventListener("pointermove", pointer("move"));
  canvas.addEventListener("pointerup", pointer("up"));
  canvas.addEventListener("pointerleave", pointer("leave"));
  canvas.addEventListener("keydown", (event) => {
    if (!model.get("handled_keys").includes(event.key)) return; // all others, Tab first of all, keep their meaning
    event.preventDefault();
    event.stopPropagation();
    tell({ type: "key", key: event.key });
  });

  let known = 0;
  let settle = 0;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(el.clientWidth);
    if (width < 50 || width === known) return;
    clearTimeout(settle);
    settle = setTimeout(announce, known ? 120 : 0);
  });
  function announce() {
    const width = Math.floor(el.clientWidth);
    if (width < 50) return;
    known = width;
    model.send({ type: "ready", width, ratio: window.devicePixelRatio || 1 });
  }

  const cursor = () => (canvas.style.cursor = model.get("cursor"));
  model.on("msg:custom", paint);
  model.on("change:cursor", cursor);
  cursor();
  observer.observe(el);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(settle);
    clearTimeout(watchdog);
    model.off("msg:custom", paint);
    model.off("change:cursor", cursor);
  };
}

export default { render };
