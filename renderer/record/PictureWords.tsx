import { Fragment, type KeyboardEvent, useState } from "react";
import type { PictureText } from "#contract";
import { Marked } from "../design/Marked.tsx";
import type { Cite } from "./facts.ts";
import { citedInLine, isUnsure, lineMoment, rowsOf } from "./lines.ts";

const words = {
  title: "Text in the picture",
  inVideo: "Text in the video",
  note: "read by a model, which can err",
  unsure: "Dotted lines were hard to read.",
  unsureLine: "hard to read",
  keys: "Up and down go from line to line and show each in the picture.",
} as const;

/**
 * Text that a model read in a picture, line by line; pointing at a line shows it in the picture. It is ordinary text, to
 * be read and selected; with the keyboard it is one stop, inside which the arrows go from line to line.
 */
export function PictureWords({
  ocr,
  cite,
  lit,
  onLit,
}: {
  ocr: PictureText;
  cite: Cite;
  lit: number | null;
  onLit: (line: number | null) => void;
}) {
  const [told, setTold] = useState("");
  const { lines, text } = ocr;
  if (lines.length === 0) return null;
  const unsure = lines.some(isUnsure);
  const title = lines.some((line) => line.at !== null) ? words.inVideo : words.title;

  function onKeyDown(event: KeyboardEvent) {
    const at = lit ?? -1;
    const to =
      event.key === "ArrowDown"
        ? Math.min(lines.length - 1, at + 1)
        : event.key === "ArrowUp"
          ? Math.max(0, at - 1)
          : event.key === "Home"
            ? 0
            : event.key === "End"
              ? lines.length - 1
              : null;
    const line = to === null ? undefined : lines[to];
    if (to === null || !line) return;
    event.preventDefault();
    event.stopPropagation();
    onLit(to);
    const unsureNow = isUnsure(line) ? `, ${words.unsureLine}` : "";
    setTold(`Line ${to + 1} of ${lines.length}${unsureNow}: ${text.slice(line.start, line.end)}`);
    event.currentTarget.querySelector(`[data-line="${to}"]`)?.scrollIntoView({ block: "nearest" });
  }

  return (
    <section className="picture-words" aria-label={title}>
      <h2>
        {title} <span className="quiet">{words.note}</span>
      </h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form; this is text. */}
      <div
        className="picture-words__lines"
        role="group"
        aria-label={`${title}. ${words.keys}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: one stop for the keys; the text stays text for those who hear or select it.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => onLit(null)}
      >
        {rowsOf(ocr).map((row) => (
          <div key={row[0]?.line.start}>
            {row.map(({ line, index }) => {
              const cited = citedInLine(line, cite);
              const moment = lineMoment(lines, index);
              return (
                <Fragment key={line.start}>
                  {line === row[0]?.line ? null : " "}
                  {moment ? <span className="picture-words__at">{moment}</span> : null}
                  <span
                    data-line={index}
                    className={[
                      "picture-words__line",
                      isUnsure(line) ? "picture-words__line--unsure" : "",
                      lit === index ? "picture-words__line--lit" : "",
                    ].join(" ")}
                    title={isUnsure(line) ? words.unsureLine : undefined}
                    onPointerEnter={() => onLit(index)}
                    onPointerLeave={() => onLit(null)}
                  >
                    <Marked text={text.slice(line.start, line.end)} marks={cited ? [cited] : []} />
                  </span>
                </Fragment>
              );
            })}
          </div>
        ))}
      </div>
      <p className="visually-hidden" aria-live="polite">
        {told}
      </p>
      {unsure ? <p className="small quiet">{words.unsure}</p> : null}
    </section>
  );
}
