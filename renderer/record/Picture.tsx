import { useState } from "react";
import type { PictureText, StoredRecord } from "#contract";
import { ErrorNote } from "../design/feedback.tsx";
import { kindTitle } from "../state/format.ts";
import { usePicture } from "../state/record.ts";
import type { Cite } from "./facts.ts";
import { citedInLine, polygonPoints } from "./lines.ts";

/** The lines that a model read, drawn over the picture: faint while one points at it, clear where one is pointed at or cited. */
function Lines({
  ocr,
  cite,
  lit,
  onLit,
  width,
  height,
}: {
  ocr: PictureText;
  cite: Cite;
  lit: number | null;
  onLit: (line: number | null) => void;
  width: number;
  height: number;
}) {
  return (
    // It lies on the picture as the picture lies in its frame: whole, in the middle, whatever the frame's form.
    <svg
      className="record__lines"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      aria-hidden="true"
    >
      {ocr.lines.map((line, index) =>
        line.at === null ? (
          <g
            key={line.start}
            className={["quad", citedInLine(line, cite) ? "quad--cited" : "", lit === index ? "quad--lit" : ""].join(
              " ",
            )}
          >
            <polygon className="quad__edge" points={polygonPoints(line.quad, width, height)} />
            <polygon
              points={polygonPoints(line.quad, width, height)}
              onPointerEnter={() => onLit(index)}
              onPointerLeave={() => onLit(null)}
            />
          </g>
        ) : null,
      )}
    </svg>
  );
}

/** A record's picture, whole; over it the lines of text that were read in it. */
export function Picture({
  record,
  page,
  cite,
  lit,
  onLit,
}: {
  record: StoredRecord;
  page: boolean;
  cite: Cite;
  lit: number | null;
  onLit: (line: number | null) => void;
}) {
  const { url, error } = usePicture(record.id, page ? 2048 : 1200);
  // Of the picture as it is shown, upright: what the source says of its size may be from before it was turned.
  const [shown, setShown] = useState<{ width: number; height: number } | null>(null);
  const size = shown ?? record.props.size;
  const ocr = record.perceived?.ocr;
  return (
    <figure className="record__picture">
      <div
        className="record__frame"
        style={size ? { aspectRatio: `${size.width} / ${size.height}` } : { aspectRatio: "4 / 3" }}
      >
        {url ? (
          <img
            src={url}
            alt={record.text ?? record.subject ?? kindTitle(record.kind)}
            onLoad={({ currentTarget }) =>
              setShown({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
            }
          />
        ) : null}
        {ocr && shown ? <Lines ocr={ocr} cite={cite} lit={lit} onLit={onLit} {...shown} /> : null}
      </div>
      {error ? <ErrorNote error={error} /> : null}
    </figure>
  );
}
