/** Lines of exports of Signal, made by hand. */

export const lines = (...all: unknown[]) => `${all.map((one) => JSON.stringify(one)).join("\n")}\n`;

/** A line of signal-export's data.json. */
export const message = (date: string, sender: string, body: string, more: object = {}) => ({
  date,
  sender,
  body: `${body}  `,
  quote: "",
  sticker: null,
  reactions: [],
  attachments: [],
  ...more,
});
