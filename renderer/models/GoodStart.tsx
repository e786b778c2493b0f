import { useState } from "react";
import type { ModelStatus } from "#contract";
import { Button } from "../design/controls.tsx";
import { bytes, count } from "../state/format.ts";
import { Consent } from "./Consent.tsx";
import { groups } from "./words.ts";

const words = {
  title: "A good start",
  install: "Install",
} as const;

/** "One small model", "Three small models" */
function howMany(models: number): string {
  const written = ["One", "Two", "Three"][models - 1] ?? count(models);
  return `${written} ${models === 1 ? "small model" : "small models"}`;
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
          {howMany(models.length)}, {bytes(size)}
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
