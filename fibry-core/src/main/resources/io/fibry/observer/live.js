"use strict";
// A stream of events from the server.

/** Passes the data of each event to the handler of its name. */
function live(path, handlers) {
  let source = null;
  let retry = 0;
  const disconnect = () => {
    clearTimeout(retry);
    if (source) source.close();
    source = null;
  };
  const connect = () => {
    source = new EventSource(path);
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, event => handler(JSON.parse(event.data)));
    }
    source.onopen = () => status("live", "live");
    source.onerror = () => {
      disconnect();
      status("off", "disconnected, trying again");
      retry = setTimeout(connect, 2000);
    };
  };
  whileLive(connect, disconnect);
}
