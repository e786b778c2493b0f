import { beforeEach, describe, expect, it } from "vitest";
import { defaultSettings, type Job, type ModelStatus, modelPurposes, type Settings, UnderstoryError } from "#contract";
import { waitingViews } from "../../renderer/frame/StatusLine.tsx";
import { installLine } from "../../renderer/models/InstallProgress.tsx";
import { groups, languageWords, laterGroups, sourceWords, viewShare, viewWords } from "../../renderer/models/words.ts";
import { bytesOf, gigabytes, shareWord, taskWords } from "../../renderer/settings/words.ts";
import { setClient } from "../../renderer/state/client.ts";
import { goodStart, installJob, modelState, useModels } from "../../renderer/state/models.ts";
import { settingsErrors, useSettings } from "../../renderer/state/settings.ts";
import { scriptedClient } from "./client.ts";

function model(id: string, fields: Partial<ModelStatus> = {}): ModelStatus {
  return {
    id,
    version: "1",
    purpose: "text-embedding",
    title: `Model ${id}`,
    licence: "MIT",
    licenceUrl: "https://licence.example",
    home: "https://home.example",
    bytes: 23_000_000,
    memoryBytes: 90_000_000,
    languages: ["en"],
    measured: true,
    why: "It helps.",
    sources: [
      { kind: "hub", label: "A hub" },
      { kind: "local", label: "A folder" },
    ],
    state: "absent",
    recommended: true,
    machineMemoryBytes: 0,
    fits: true,
    active: false,
    ...fields,
  };
}

function job(id: string, fields: Partial<Job> = {}): Job {
  return {
    id,
    kind: "install-model",
    title: "Installing Model a",
    state: "running",
    progress: {
      done: 12_000_000,
      total: 23_000_000,
      unit: "bytes",
      rate: null,
      secondsLeft: 8,
      note: null,
      records: 0,
      files: 0,
    },
    error: null,
    createdAt: "2025-01-01T00:00:00Z",
    updatedAt: "2025-01-01T00:00:00Z",
    ...fields,
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("models by what they do for a person", () => {
  it("gives every purpose of the contract exactly one place", () => {
    const placed = [...groups, ...laterGroups].flatMap((group) => group.purposes);
    expect([...placed].sort()).toEqual([...modelPurposes].sort());
  });

  it("begins with the recommended models of the basics that this machine can bear", () => {
    const models = [
      model("meaning"),
      model("better", { recommended: false }),
      model("words", { purpose: "ocr" }),
      model("large", { purpose: "image-tags", fits: false }),
      model("llm", { purpose: "llm" }),
    ];
    const ids = (list: readonly ModelStatus[]) => list.map((one) => one.id);
    expect(ids(goodStart(models, (one) => one.state))).toEqual(["meaning", "words"]);
    // Any model of a purpose serves it; one that is on its way, too.
    expect(ids(goodStart(models, (one) => (one.id === "better" ? "installed" : one.state)))).toEqual(["words"]);
    expect(ids(goodStart(models, (one) => (one.id === "words" ? "installing" : one.state)))).toEqual(["meaning"]);
  });

  it("says how far its views have come", () => {
    const pictures = { one: "picture", many: "pictures" };
    expect(viewWords({ done: 1180, pending: 20, failed: 4 }, pictures)).toBe("1,180 of 1,204 pictures");
    expect(viewWords({ done: 5, pending: 0, failed: 0 }, pictures)).toBe("all 5 pictures");
    expect(viewWords({ done: 1, pending: 0, failed: 0 }, pictures)).toBe("the one picture");
    expect(viewWords({ done: 0, pending: 0, failed: 0 }, pictures)).toBe("no pictures yet");
    expect(viewShare({ done: 5, pending: 10, failed: 5 })).toBe(0.5);
    expect(viewShare({ done: 0, pending: 0, failed: 0 })).toBeNull();
  });

  it("names languages and sources as a person would", () => {
    expect(languageWords(["en"])).toBe("English");
    expect(languageWords(["en", "de", "fr"])).toBe("English, German and French");
    expect(languageWords(["en", "de", "fr", "es", "it", "pt"])).toBe(
      "English, German, French, Spanish and 2 more languages",
    );
    expect(languageWords(["*"])).toBe("any language");
    expect(languageWords(["not a tag!"])).toBe("not a tag!");
    expect(sourceWords(model("a"))).toBe("A hub");
    expect(sourceWords({ sources: [{ kind: "local", label: "A folder" }] })).toBe("only by hand");
  });
});

describe("installing", () => {
  beforeEach(() => useModels.setState({ models: null, jobIds: new Map() }));

  it("installs one after the other with consent, and knows each one's job", async () => {
    const client = scriptedClient({
      "models.install": async ({ id }) => ({ jobId: `job-${id}` }),
      "models.list": async () => ({ models: [model("a"), model("b")], folder: "/models" }),
    });
    setClient(client);
    await useModels.getState().install(["a", "b"]);
    await useModels.getState().install(["c"], "/by/hand");
    expect(client.asked.filter(({ method }) => method === "models.install").map(({ input }) => input)).toEqual([
      { id: "a", consent: true },
      { id: "b", consent: true },
      { id: "c", consent: true, from: "/by/hand" },
    ]);
    const jobs = new Map([["job-b", job("job-b")]]);
    expect(installJob(model("b"), jobs, useModels.getState().jobIds)?.id).toBe("job-b");
    expect(useModels.getState().folder).toBe("/models");
  });

  it("finds the newest job of a model that another window installs, and no other model's", () => {
    const jobs = new Map([
      ["old", job("old", { state: "failed" })],
      ["new", job("new", { createdAt: "2025-02-01T00:00:00Z" })],
      ["import", job("import", { kind: "import", createdAt: "2025-03-01T00:00:00Z" })],
    ]);
    expect(installJob(model("a"), jobs, new Map())?.id).toBe("new");
    expect(installJob(model("b"), jobs, new Map())).toBeUndefined();
  });

  it("counts a model whose job waits as being installed, and one whose job ended as what it is", () => {
    expect(modelState(model("a"), job("j", { state: "queued" }))).toBe("installing");
    expect(modelState(model("a"), job("j", { state: "failed" }))).toBe("absent");
    expect(modelState(model("a", { state: "installed" }), job("j"))).toBe("installed");
  });

  it("tells how much has come, and that a paused one loses nothing", () => {
    expect(installLine(job("j"))).toBe("12 MB of 23 MB · a few seconds left");
    expect(installLine(job("j", { state: "paused" }))).toBe("12 MB of 23 MB · Paused. What has arrived is kept.");
    expect(installLine(job("j", { state: "queued" }))).toBe("Waiting for its turn");
  });
});

describe("what waits for a model, in the status line", () => {
  const view = (purpose: ModelStatus["purpose"], pending: number, inUse: string | null = "m@1") => ({
    purpose,
    model: inUse,
    pending,
  });

  it("counts a picture once, whatever number of models is to look at it", () => {
    expect(waitingViews([view("ocr", 12), view("image-tags", 9)])).toBe("12 pictures still to look at");
    expect(waitingViews([view("text-embedding", 1)])).toBe("1 record still to read for meaning");
  });

  it("is silent where no model is installed or nothing is to do", () => {
    expect(waitingViews([view("ocr", 12, null), view("text-embedding", 0)])).toBeNull();
    expect(waitingViews([])).toBeNull();
  });
});

describe("settings for thinking", () => {
  /** A core that keeps settings as the real one does: fields given replace, others stay. */
  function core(refuse: (change: Partial<Settings>) => UnderstoryError | null = () => null) {
    let kept = defaultSettings;
    return scriptedClient({
      "settings.get": async () => kept,
      "settings.set": async ({ settings }) => {
        await settle();
        const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
        const error = refuse(given);
        if (error) throw error;
        kept = { ...kept, ...given };
        return kept;
      },
    });
  }
  const sets = (client: ReturnType<typeof core>) =>
    client.asked.filter(({ method }) => method === "settings.set").map(({ input }) => input);

  it("shows a change at once, saves it, and gathers what comes while it is being saved", async () => {
    const client = core();
    setClient(client);
    const { load, change } = useSettings.getState();
    await load();
    const first = change({ cpuShare: 0.9 });
    void change({ cpuShare: 0.7 });
    const last = change({ cpuShare: 0.5, pauseOnBattery: false });
    expect(useSettings.getState().settings).toMatchObject({ cpuShare: 0.5, pauseOnBattery: false });
    expect(await first).toBe(true);
    expect(await last).toBe(true);
    expect(sets(client)).toEqual([
      { settings: { cpuShare: 0.9 } },
      { settings: { cpuShare: 0.5, pauseOnBattery: false } },
    ]);
    expect(useSettings.getState().settings).toMatchObject({ cpuShare: 0.5, pauseOnBattery: false });
  });

  it("tells at the field what does not fit, and sends nothing of it", async () => {
    const client = core();
    setClient(client);
    await useSettings.getState().load();
    const hub = { mirror: "ftp://files.example", proxy: null };
    expect(await useSettings.getState().change({ hub })).toBe(false);
    expect(useSettings.getState().fieldErrors["hub.mirror"]).toMatch(/https/);
    expect(sets(client)).toEqual([]);
    expect(await useSettings.getState().change({ hub: { ...hub, mirror: "https://files.example" } })).toBe(true);
    expect(useSettings.getState().fieldErrors).toEqual({});
  });

  it("takes a change back that the core refuses, and says why at its field", async () => {
    setClient(
      core((change) =>
        change.gpu === "off" ? new UnderstoryError("not_writable", "The models folder cannot be written.") : null,
      ),
    );
    const { load, change } = useSettings.getState();
    await load();
    expect(await change({ gpu: "off" })).toBe(false);
    expect(useSettings.getState().settings?.gpu).toBe("auto");
    expect(useSettings.getState().fieldErrors.gpu).toBe("The models folder cannot be written.");
    expect(await change({ gpu: "auto" })).toBe(true);
    expect(useSettings.getState().fieldErrors.gpu).toBeUndefined();
  });

  it("has the schema's own bounds", () => {
    expect(Object.keys(settingsErrors({ memoryCeilingBytes: 100_000_000 }))).toEqual(["memoryCeilingBytes"]);
    expect(Object.keys(settingsErrors({ memoryCeilingBytes: Number.NaN }))).toEqual(["memoryCeilingBytes"]);
    expect(Object.keys(settingsErrors({ cpuShare: 0.05 }))).toEqual(["cpuShare"]);
    expect(settingsErrors(defaultSettings)).toEqual({});
  });

  it("reads gigabytes as people write them", () => {
    expect(["1.5", "1,5", " 1.5 GB ", ""].map(bytesOf)).toEqual([1.5e9, 1.5e9, 1.5e9, null]);
    expect(bytesOf("a lot")).toBeNaN();
    expect(gigabytes(bytesOf("2.25"))).toBe("2.25");
    expect(gigabytes(null)).toBe("");
  });

  it("has a word for every share and every task", () => {
    expect([0.1, 0.3, 0.5, 0.75, 0.8, 1].map(shareWord)).toEqual(["gentle", "gentle", "half", "half", "full", "full"]);
    for (const { name, does } of Object.values(taskWords)) expect(name.length * does.length).toBeGreaterThan(0);
  });
});
