"use strict";
// The last messages of an actor, the latest first, measured while its page is open, and its scheduled timers.

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
  scheduled(data);
}

/** Timers have no names, so each row is known by its place. */
function scheduled({timers, moreTimers, unreadTimers}) {
  keyed($("scheduled").tBodies[0], timers.map((timer, place) => ({...timer, place})), timer => String(timer.place),
    makeTimer, (row, timer) => {
      const [type, repeats, due] = row.children;
      setText(type, shortType(timer.type));
      type.title = timer.type;
      setText(repeats, timer.once ? "once" : (timer.receiveTimeout ? "receive timeout of " : "every ") + duration(timer.period));
      setText(due, duration(timer.left));
    });
  $("more-timers").hidden = !moreTimers;
  setText($("more-timers"), number(moreTimers) + " more."
    + (unreadTimers ? " The " + number(unreadTimers) + " started last are omitted even if they are due earlier." : ""));
}

function makeTimer() {
  const row = element("tr");
  row.append(element("td", "type"), element("td", "repeats"), element("td", "number"));
  return row;
}

/** A number of milliseconds; the time of a timer is often a round one, or many days. */
function duration(value) {
  if (value >= 172800000) return number(value / 86400000) + " days";
  return value >= 1000 && value < 60000 ? number(value / 1000) + " s" : millis(value);
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
