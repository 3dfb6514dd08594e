"use strict";
(() => {
  const moments = JSON.parse(document.getElementById("moments").textContent);
  const byId = (id) => document.getElementById(id);
  const image = byId("frame"), placeholder = byId("placeholder"), boxes = byId("boxes"), where = byId("where");
  const slider = byId("slider"), output = byId("count"), play = byId("play"), now = byId("now");
  const agent = byId("agent"), walked = byId("walked"), hover = byId("hover"), truth = byId("truth");
  const steps = [...document.querySelectorAll(".steps > .step")];
  const findings = [...document.querySelectorAll(".findings > li")];
  const SVG = "http://www.w3.org/2000/svg";
  let at = -1, timer = 0;

  // A step without an image of its own shows the last one before it.
  const frames = [];
  moments.forEach((moment, i) => frames.push(moment.ref === undefined ? frames[i - 1] : moment));

  function drawFrame(frame) {
    const there = frame !== undefined && frame.src;
    image.hidden = !there;
    placeholder.hidden = Boolean(there);
    if (there) {
      if (image.getAttribute("src") !== frame.src) image.src = frame.src;
      image.width = frame.w;
      image.height = frame.h;
      image.alt = "Frame " + frame.ref;
    } else {
      placeholder.textContent = frame === undefined ? "no frame yet" : "frame " + frame.ref + " is missing";
    }
    boxes.replaceChildren();
    if (!there || !truth || !truth.checked) return;
    boxes.setAttribute("viewBox", "0 0 " + frame.w + " " + frame.h);
    for (const [x0, y0, x1, y1, kind] of frame.boxes || []) {
      const rect = document.createElementNS(SVG, "rect");
      for (const [name, value] of [["x", x0], ["y", y0], ["width", x1 - x0], ["height", y1 - y0], ["class", kind]]) {
        rect.setAttribute(name, value);
      }
      boxes.append(rect);
    }
  }

  function drawPlan(index) {
    if (!agent) return;
    const path = moments.slice(0, index + 1).filter((moment) => moment.at).map((moment) => moment.at);
    agent.toggleAttribute("hidden", path.length === 0);
    if (path.length === 0) return;
    const [x, y, yaw] = path[path.length - 1];
    agent.setAttribute("transform", "translate(" + x + " " + y + ") rotate(" + -yaw + ")");
    walked.setAttribute("points", path.map((point) => point[0] + "," + point[1]).join(" "));
  }

  function drawStep(index) {
    const step = moments[index].step;
    steps.forEach((item, i) => item.classList.toggle("current", i === step));
    findings.forEach((item) => item.classList.toggle("later", Number(item.dataset.step) > step));
    for (const button of document.querySelectorAll(".strip > button")) {
      button.classList.toggle("current", Number(button.dataset.moment) === index);
    }
    if (at >= 0 && moments[at].step === step && now.firstChild) return;
    now.replaceChildren(...[...steps[step].childNodes].map((node) => node.cloneNode(true)));
  }

  function show(index) {
    const next = Math.max(0, Math.min(moments.length - 1, index));
    if (next === at) return;
    const frame = frames[next];
    drawFrame(frame);
    drawPlan(next);
    drawStep(next);
    at = next;
    slider.value = String(next);
    const t = moments[next].t === undefined ? "" : " · " + moments[next].t.toFixed(2) + " s";
    where.textContent = (frame === undefined ? "" : "frame " + frame.ref) + t;
    output.textContent = next + 1 + " / " + moments.length;
    const ahead = frames[next + 1];
    if (ahead && ahead.src) new Image().src = ahead.src;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.setAttribute("aria-pressed", "false");
    now.setAttribute("aria-live", "polite");
    play.textContent = "▶︎ Play";
  }

  function toggle() {
    if (timer) return stop();
    if (at === moments.length - 1) show(0);
    play.setAttribute("aria-pressed", "true");
    now.setAttribute("aria-live", "off");
    play.textContent = "❚❚ Pause";
    timer = setInterval(() => (at < moments.length - 1 ? show(at + 1) : stop()), 500);
  }

  const stepTo = (step) => {
    const index = moments.findIndex((moment) => moment.step === step);
    if (index >= 0) show(index);
  };

  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  play.addEventListener("click", toggle);
  byId("back").addEventListener("click", () => { stop(); show(at - 1); });
  byId("on").addEventListener("click", () => { stop(); show(at + 1); });
  if (truth) {
    truth.addEventListener("change", () => {
      for (const mark of document.querySelectorAll(".target")) mark.toggleAttribute("hidden", !truth.checked);
      drawFrame(frames[at]);
    });
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-moment]");
    if (!button) return;
    stop();
    show(Number(button.dataset.moment));
    if (!button.closest(".replay")) byId("view").scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input[type=checkbox], summary, a")) return;
    const moves = {
      ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1),
      PageUp: () => stepTo(moments[at].step - 1), PageDown: () => stepTo(moments[at].step + 1),
      Home: () => show(0), End: () => show(moments.length - 1),
    };
    if (event.key === " " && !event.target.closest("button")) toggle();
    else if (moves[event.key] && event.target === slider) { stop(); moves[event.key](); }
    else if (event.key.startsWith("Arrow") && moves[event.key]) { stop(); moves[event.key](); }
    else return;
    event.preventDefault();
  });
  const plan = byId("plan");
  if (plan) {
    plan.addEventListener("pointerover", (event) => {
      const label = event.target.dataset && event.target.dataset.label;
      if (label) hover.textContent = label;
    });
  }
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((item) => { item.open = true; });
  });
  window.addEventListener("afterprint", () => closed.forEach((item) => { item.open = false; }));
  document.querySelector(".controls").hidden = false;
  show(0);
})();
