/** Exports of Telegram as the program writes them, made by hand. */

/** 14 July 2024, 10:00:00 UTC. */
export const unix = 1_720_951_200;
export const sent = (id: number, more: object = {}) => ({
  id,
  type: "message",
  date: "2024-07-14T12:00:00",
  date_unixtime: String(unix),
  from: "Ada",
  from_id: "user11",
  text: "hi",
  ...more,
});
export const chat = (messages: readonly unknown[], more: object = {}) =>
  JSON.stringify({ name: "Hut", type: "private_supergroup", id: 77, ...more, messages });
export const page = (body: string, title = "Hut") =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"/><title>Exported Data</title></head><body><div class="page_wrap">
   <div class="page_header"><div class="content"><div class="text bold">
   ${title}
   </div></div></div><div class="page_body chat_page"><div class="history">${body}</div></div></div></body></html>`;
export const block = (id: number, inner: string, joined = false, date = "14.07.2024 12:00:00 UTC+02:00") =>
  `<div class="message default clearfix${joined ? " joined" : ""}" id="message${id}"><div class="body">
   <div class="pull_right date details" title="${date}">12:00</div>${inner}</div></div>`;
export const from = (name: string) => `<div class="from_name">\n${name} \n</div>`;
export const said = (html: string) => `<div class="text">\n${html}\n</div>`;
