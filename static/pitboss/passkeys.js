// Passkeys: before a form that asks for one is sent, get a challenge for exactly what it says, let the key answer, send both.
(() => {
  "use strict";
  const SECRET = /(^|_)pin($|_)|password|^passkey|^csrf/;

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
      sign.charCodeAt(0),
    );
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");

  const read = (options) => ({
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: bytes(options.user.id) } }),
    ...(options.allowCredentials && {
      allowCredentials: options.allowCredentials.map((each) => ({ ...each, id: bytes(each.id) })),
    }),
    ...(options.excludeCredentials && {
      excludeCredentials: options.excludeCredentials.map((each) => ({
        ...each,
        id: bytes(each.id),
      })),
    }),
  });

  const written = (credential) => {
    const response = {};
    for (const name of [
      "clientDataJSON",
      "attestationObject",
      "authenticatorData",
      "signature",
      "userHandle",
    ]) {
      if (credential.response[name]) response[name] = text(credential.response[name]);
    }
    return JSON.stringify({
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      response,
      clientExtensionResults: {},
    });
  };

  const challenge = async (form, submitter) => {
    const asked = new FormData();
    for (const [name, value] of new FormData(form, submitter)) {
      if (!SECRET.test(name) && typeof value === "string") asked.append(name, value);
    }
    asked.append("passkey_path", new URL(form.action).pathname);
    if (form.dataset.passkey === "add") asked.append("passkey_adding", "yes");
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    const answer = await fetch(form.dataset.passkeyUrl, {
      method: "POST",
      body: asked,
      headers: { "X-CSRFToken": token },
    });
    if (answer.status === 204) return null;
    if (!answer.ok) throw new Error("The site did not answer. Try again.");
    return read(await answer.json());
  };

  const answered = async (form, submitter) => {
    const publicKey = await challenge(form, submitter);
    if (!publicKey) return "";
    const ask = form.dataset.passkey === "add" ? "create" : "get";
    return written(await navigator.credentials[ask]({ publicKey }));
  };

  const put = (form, value) => {
    let field = form.querySelector("[name=passkey]");
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = "passkey";
      form.append(field);
    }
    field.value = value;
  };

  const say = (form, sentence) => {
    const place = form.querySelector("[data-passkey-trouble]");
    if (!place) return;
    place.textContent = sentence;
    place.hidden = !sentence;
  };

  const waiting = new WeakSet();

  // Loaded before every other listener: they see the form when the passkey has answered.
  document.addEventListener(
    "submit",
    async (event) => {
      const form = event.target;
      if (!form.matches?.("[data-passkey]")) return;
      if (form.dataset.passkeyDone) {
        delete form.dataset.passkeyDone;
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      if (waiting.has(form)) return;
      waiting.add(form);
      const submitter = event.submitter;
      say(form, "");
      try {
        put(form, navigator.credentials ? await answered(form, submitter) : "");
      } catch (error) {
        say(
          form,
          error.name === "NotAllowedError"
            ? "No passkey answered. Try again, and touch your key."
            : error.message,
        );
        return;
      } finally {
        waiting.delete(form);
      }
      form.dataset.passkeyDone = "1";
      form.requestSubmit(submitter);
    },
    true,
  );
})();
