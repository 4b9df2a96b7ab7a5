// What happens at the table, told by the server as it happens (GET /api/v1/events). While there is no stream the terminal
// asks every two seconds, so a server without one, or a proxy that holds it back, costs two seconds and nothing else.
(() => {
  "use strict";
  const line = window.PitLine;
  const PATH = "events";
  const AGAIN_MS = 2000;
  const AGAIN_MAX_MS = 60_000;
  // The server says something every 15 s; a line that is silent for longer has broken unseen.
  const SILENT_MS = 40_000;

  let lastId = "";
  let isOpen = false;
  let isRunning = false;

  const fieldsOf = (block) => Object.fromEntries(block.split("\n").map((each) => {
    const at = each.indexOf(":");
    return [each.slice(0, at), each.slice(at + 1).trimStart()];
  }));

  const hear = (block, tell) => {
    const { id, event } = fieldsOf(block);
    if (id) lastId = id;
    if (event) tell(event);
  };

  // Follow one stream to its end. Returns how long to wait before the next one.
  const follow = async (tell, setOpen) => {
    const stop = new AbortController();
    let silence = setTimeout(() => stop.abort(), SILENT_MS);
    try {
      const answer = await line.stream(PATH, lastId ? { "Last-Event-ID": lastId } : {}, stop.signal);
      if (answer.status === 400) lastId = "";
      if (!answer.ok) return Math.min(AGAIN_MAX_MS, Number(answer.headers.get("Retry-After") ?? 0) * 1000 || AGAIN_MS);
      setOpen(true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
        clearTimeout(silence);
        silence = setTimeout(() => stop.abort(), SILENT_MS);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) hear(block, tell);
      }
    } catch {
      // No connection, or one that broke: the next stream begins where this one ended.
    } finally {
      clearTimeout(silence);
      setOpen(false);
    }
    return AGAIN_MS;
  };

  // Tell what happens, and when the stream comes or goes, for as long as the terminal is enrolled.
  const start = async (tell) => {
    if (isRunning || !document.body.dataset.events) return;
    isRunning = true;
    const setOpen = (open) => {
      if (open === isOpen) return;
      isOpen = open;
      tell("");
    };
    while (line.isEnrolled()) {
      const wait = await follow(tell, setOpen);
      await new Promise((done) => { setTimeout(done, wait); });
    }
    lastId = "";
    isRunning = false;
  };

  window.PitEvents = { start, isOpen: () => isOpen };
})();
