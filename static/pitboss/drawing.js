// Where a patron signs by hand: strokes on a sheet of 1000 by 300, posted as whole numbers and drawn again as they were.
(() => {
  "use strict";
  const STEP = 6;

  const setUp = (holder) => {
    if (holder.dataset.ready) return;
    holder.dataset.ready = "1";
    const field = holder.querySelector("[data-drawing-field]");
    const path = field.querySelector("path");
    const hidden = holder.querySelector("[name=drawn]");
    const { width, height } = field.viewBox.baseVal;
    // What was drawn before a refusal is drawn again.
    let strokes = hidden.value ? JSON.parse(hidden.value) : [];
    let drawing = null;

    const show = () => {
      path.setAttribute(
        "d",
        strokes
          .map(
            (stroke) =>
              `M${(stroke.length > 1 ? stroke : [stroke[0], stroke[0]]).map((point) => point.join(" ")).join("L")}`,
          )
          .join(""),
      );
      hidden.value = strokes.length ? JSON.stringify(strokes) : "";
    };

    const pointOf = (event) => {
      const box = field.getBoundingClientRect();
      const along = (value, most) => Math.max(0, Math.min(most, Math.round(value)));
      return [
        along(((event.clientX - box.left) / box.width) * width, width),
        along(((event.clientY - box.top) / box.height) * height, height),
      ];
    };

    const draw = (event) => {
      const [x, y] = pointOf(event);
      const [lastX, lastY] = drawing.at(-1) ?? [-STEP, -STEP];
      // A hand that rests adds nothing.
      if (Math.hypot(x - lastX, y - lastY) >= STEP) drawing.push([x, y]);
      show();
    };

    field.addEventListener("pointerdown", (event) => {
      if (drawing || (event.pointerType === "mouse" && event.button !== 0)) return;
      field.setPointerCapture(event.pointerId);
      drawing = [];
      strokes.push(drawing);
      draw(event);
    });
    field.addEventListener("pointermove", (event) => {
      if (drawing) draw(event);
    });
    for (const end of ["pointerup", "pointercancel"])
      field.addEventListener(end, () => {
        drawing = null;
      });
    holder.querySelector("[data-drawing-clear]").addEventListener("click", () => {
      strokes = [];
      drawing = null;
      show();
    });
    show();
  };

  // The patron's own screen: theirs first, then that of whoever saw them sign.
  const handOver = (screen) => {
    if (screen.dataset.ready) return;
    screen.dataset.ready = "1";
    const hidden = screen.querySelector("[name=drawn]");
    const stage = (isWithStaff) => {
      screen.toggleAttribute("data-with-staff", isWithStaff);
      screen.querySelector("[data-psign-patron]").hidden = isWithStaff;
      screen.querySelector("[data-psign-staff]").hidden = !isWithStaff;
    };
    screen.querySelector("[data-psign-done]").addEventListener("click", () => {
      if (hidden.value) stage(true);
    });
    screen.querySelector("[data-psign-again]").addEventListener("click", () => stage(false));
    stage(screen.hasAttribute("data-with-staff"));
  };

  const setUpAll = (within) => {
    if (within.matches?.("[data-psign]")) handOver(within);
    for (const screen of within.querySelectorAll("[data-psign]")) handOver(screen);
    if (within.matches?.("[data-drawing]")) setUp(within);
    for (const holder of within.querySelectorAll("[data-drawing]")) setUp(holder);
  };
  document.addEventListener("htmx:load", (event) => setUpAll(event.detail.elt));
  setUpAll(document);
})();
