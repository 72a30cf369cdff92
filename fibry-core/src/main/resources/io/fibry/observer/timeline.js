"use strict";
// The last messages of an actor, the latest first, measured while its page is open.

const MOST_MESSAGES = 200;
let handledMessages = [];

function messages(data) {
  const known = new Set(data.messages.map(keyOfMessage)); // after a reconnection, the server sends some of them again
  handledMessages = [...data.messages.toReversed(), ...handledMessages.filter(old => !known.has(keyOfMessage(old)))]
    .slice(0, MOST_MESSAGES);
  const longest = Math.max(1e-9, ...handledMessages.map(message => message.handler));
  keyed($("messages").tBodies[0], handledMessages, keyOfMessage, makeMessage,
    (row, message) => { row.meter.style.width = 100 * message.handler / longest + "%"; });
  setText($("stashed"), number(data.stashed));
  $("skipped").hidden = !data.skipped;
  if (data.skipped) setText($("skipped"), number(data.skipped) + " messages between two updates are not shown.");
}

/** Numbers alone begin again after a time without a viewer. */
function keyOfMessage(message) {
  return message.number + " " + message.end;
}

function makeMessage({type, sender, ask, wait, handler, failed, end}) {
  const row = element("tr", failed ? "alarm" : ""), what = element("td"), meter = element("span", "meter");
  const facts = [new Date(end).toLocaleTimeString(), ask ? "ask" : "", failed ? "failed" : "", "from " + shortType(sender)];
  what.append(element("span", "type", shortType(type)), element("span", "sub", facts.filter(Boolean).join(" · ")));
  what.title = type + " from " + sender;
  row.meter = element("i");
  meter.append(row.meter);
  const time = element("td", "number", millis(handler));
  time.append(meter);
  row.append(what, element("td", "number", millis(wait)), time);
  return row;
}
