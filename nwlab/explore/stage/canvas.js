// The browser's half of a live figure: paint the frames that Python draws, and say what the reader does.
//
// Python sends {type: "frame", id, x, y, width, height, ratio, sentence, say_painted} with a PNG of the rectangle that
// changed. Now and then it asks to be told when a frame is painted, and goes on only then: however fast a slider is
// dragged, nothing queues up. (Every message costs JupyterLab some milliseconds, so there are as few as will do.)

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
    nameSliders(el.closest(".widget-vbox"));
    clearTimeout(timer);
    timer = setTimeout(() => {
      spoken.textContent = sentence.textContent;
      canvas.setAttribute("aria-label", model.get("label") + ". " + sentence.textContent);
    }, 600);
  }

  function send(message) {
    try {
      model.send(message);
    } catch { // after a restart the kernel knows nothing of this figure
      say("The kernel was restarted and no longer knows this figure: <b>run its cell again</b>.");
    }
  }

  // "Run All" keeps the kernel busy for a while, and no frame comes before it is done: show the picture that came along.
  setTimeout(async () => {
    const bytes = model.get("preview");
    if (canvas.dataset.frame || !bytes?.byteLength) return;
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    if (!canvas.dataset.frame) {
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.style.height = "auto";
      context.drawImage(image, 0, 0);
    }
    image.close();
  }, 400);

  let queue = Promise.resolve(); // frames are patches: they are painted in the order in which they were sent
  function paint(message, buffers) {
    if (message.type === "handled") return release();
    if (message.type !== "frame") return;
    const picture = createImageBitmap(new Blob([buffers[0]], { type: "image/png" }));
    queue = queue
      .then(() => picture)
      .then((image) => {
        if (canvas.width !== message.width || canvas.height !== message.height || !canvas.dataset.frame) {
          canvas.width = message.width;
          canvas.height = message.height;
          canvas.style.width = message.width / message.ratio + "px";
          canvas.style.height = "auto"; // in a room narrower than the narrowest layout the picture shrinks
        }
        context.drawImage(image, message.x, message.y);
        image.close();
        canvas.dataset.frame = message.id;
        say(message.sentence);
      })
      .catch((error) => console.error("nwlab: a frame could not be painted", error))
      .then(() => message.say_painted && send({ type: "painted", id: message.id }));
  }

  // One event at a time is under way. While Python is busy, of moves only the latest is kept and of a key held down one
  // press; what the reader pressed and let go waits its turn, so no click and no end of a drag is lost.
  let busy = false;
  const waiting = [];
  let watchdog = 0;
  function tell(message) {
    if (busy) {
      const last = waiting.at(-1);
      if (message.kind === "move" && last?.kind === "move" && last.pressed === message.pressed) waiting.pop();
      if (!message.repeat || !waiting.length) waiting.push(message);
      return;
    }
    busy = true;
    clearTimeout(watchdog);
    watchdog = setTimeout(release, 2000);
    send(message);
  }
  function release() {
    busy = false;
    if (waiting.length) tell(waiting.shift());
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
    tell({ type: "key", key: event.key, repeat: event.repeat });
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
    send({ type: "ready", width, ratio: window.devicePixelRatio || 1 });
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

// ipywidgets leaves its sliders without a name, and gives the number of an option for its value: a screen reader would
// say "slider 75". Let it say "width σ, 0.25", as the page shows it.
function nameSliders(figure) {
  for (const slider of figure?.querySelectorAll(".widget-hslider") ?? []) {
    const handle = slider.querySelector(".noUi-handle");
    handle?.setAttribute("aria-label", slider.querySelector(".widget-label")?.textContent ?? "");
    handle?.setAttribute("aria-valuetext", slider.querySelector(".widget-readout")?.textContent ?? "");
  }
}

export default { render };
