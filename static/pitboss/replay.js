// The slider of a replay says the time while it is moved, and shows it when it is let go. Without this the button does.
(() => {
  "use strict";
  const said = (slider) => {
    const minute = (Number(slider.dataset.first) + Number(slider.value) + 1) % 1440;
    const two = (number) => String(number).padStart(2, "0");
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  };
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-replay] [type=range]")) return;
    event.target.form.querySelector("[data-replay-time]").textContent = said(event.target);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-replay] :is([type=range], select)"))
      event.target.form.requestSubmit();
  });
})();
