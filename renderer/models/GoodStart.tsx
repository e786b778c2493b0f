import { useState } from "react";
import type { ModelStatus } from "#contract";
import { Button } from "../design/controls.tsx";
import { bytes, counted } from "../state/format.ts";
import { Consent } from "./Consent.tsx";
import { groups } from "./words.ts";

const words = {
  title: "A good start",
  install: "Install",
} as const;

/** "one small model", "two small models" */
function howMany(count: number): string {
  return count === 1 ? "one small model" : counted(count, "small model");
}

/** The recommended path at first sight: what is missing of the small models that help most, in one go. */
export function GoodStart({ models }: { models: readonly ModelStatus[] }) {
  const [asking, setAsking] = useState(false);
  const [held, setHeld] = useState(models);
  if (models.length === 0 && !asking) return null;
  const size = models.reduce((sum, model) => sum + model.bytes, 0);
  const purposes = models.map(
    (model) => groups.find((group) => group.purposes[0] === model.purpose)?.title.toLowerCase() ?? model.title,
  );
  return (
    <section className="good-start" aria-labelledby="good-start">
      <div>
        <h2 id="good-start">{words.title}</h2>
        <p>
          {howMany(models.length).replace(/^./, (letter) => letter.toUpperCase())}, {bytes(size)}
          {models.length > 1 ? " together" : ""}, for{" "}
          {purposes.length > 1 ? `${purposes.slice(0, -1).join(", ")} and ${purposes.at(-1)}` : purposes[0]}.
        </p>
      </div>
      <Button
        tone="primary"
        onClick={() => {
          setHeld(models);
          setAsking(true);
        }}
      >
        {words.install} {models.length === 1 ? "it" : "them"}…
      </Button>
      {asking ? <Consent models={held} onClose={() => setAsking(false)} /> : null}
    </section>
  );
}
