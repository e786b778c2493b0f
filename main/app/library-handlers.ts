import type { Handlers, Media, RecordId } from "#contract";
import type { AppContext } from "./context.ts";
import { renderOriginal, thumbnailSide } from "./originals.ts";
import type { Session } from "./session.ts";

type Names = Extract<keyof Handlers, `library.${string}` | `people.${string}` | `records.${string}` | `ask.${string}`>;

export function libraryHandlers(app: AppContext): Pick<Handlers, Names> {
  /** A change of records, and everything that follows from it. */
  async function change(work: () => Promise<void>): Promise<void> {
    const { index, changes, catchUp } = app.session();
    await work();
    // The person must never see what they have just deleted: the indexes follow before the answer.
    while ((await index.advance({ limit: 500 })) > 0);
    changes.tick();
    catchUp();
  }

  /** A decision about who is who: it changes no record, so nothing is derived anew. */
  async function decide(work: (store: Session["store"]) => Promise<void>): Promise<Record<string, never>> {
    const { store, changes } = app.session();
    await work(store);
    changes.tick();
    return {};
  }

  /** Whether some model turns words into vectors. */
  const meaning = () => {
    const { inUse } = app.session();
    return app.options.derive && (inUse("text-embedding") !== null || inUse("image-text-embedding") !== null);
  };

  /** The original picture of a record, made fit for a window. */
  async function picture(id: RecordId, maxSide: number, signal: AbortSignal): Promise<Media> {
    const { read, media, uploadKey } = app.session();
    const { originals, kind } = await read.originals({ id });
    const { hash: _, ...made } = await renderOriginal(media, { kind, originals }, uploadKey, maxSide, signal);
    return { recordId: id, ...made };
  }

  return {
    async "library.days"({ filter }) {
      return { days: await app.session().read.days({ filter }) };
    },
    "library.list": (input) => app.session().read.list(input),
    async "library.search"(input, { signal }) {
      return app.session().read.search({ ...input, meaning: meaning() }, signal);
    },
    async "library.people"() {
      return { people: await app.session().read.people({}) };
    },
    "people.get": (input) => app.session().read.person(input),
    "people.suggestions": () => app.session().read.personSuggestions({}),
    "people.join": (pair) => decide((store) => store.joinPerson(pair)),
    "people.apart": (pair) => decide((store) => store.keepPersonApart(pair)),
    "people.separate": (input) => decide((store) => store.separatePerson(input)),
    "people.setOwner": (input) => decide((store) => store.setOwner(input)),
    async *"library.watch"(_input, { signal }) {
      for await (const seq of app.session().changes.watch(signal)) yield { seq };
    },

    "records.get": ({ id }) => app.session().read.get({ id }),
    "records.page": (input) => app.session().read.page(input),
    async "records.thumbnail"({ id }, { signal }) {
      const kept = await app.session().read.thumbnail({ id });
      return kept ?? picture(id, thumbnailSide, signal);
    },
    "records.picture": ({ id, maxSide }, { signal }) => picture(id, maxSide, signal),

    async "records.trash"({ ids }) {
      await change(() => app.session().store.trash(ids));
      return {};
    },
    async "records.restore"({ ids }) {
      await change(() => app.session().store.restore(ids));
      return {};
    },
    async "records.erase"({ ids }) {
      await change(() => app.session().store.erase(ids));
      return {};
    },
    async "records.edit"({ id, version, subject, text }) {
      await change(() => app.session().store.edit({ id, version, subject, text }));
      return app.session().read.get({ id });
    },

    async *"ask.ask"({ question, plan, after }, { signal }) {
      const rerank = app.options.derive && app.session().inUse("reranker") !== null;
      yield* app
        .session()
        .read.ask({ question, meaning: meaning(), rerank, ...(plan && { plan }), ...(after && { after }) }, signal);
    },
    async "ask.feedback"(given) {
      return { id: await app.session().store.giveFeedback(given) };
    },
    async "ask.takeBackFeedback"(input) {
      await app.session().store.takeBackFeedback(input);
      return {};
    },
    async "ask.feedbackList"() {
      return { feedback: await app.session().read.feedback({}) };
    },
    async "ask.suggestions"() {
      const { sample, read } = app.session();
      // The sample comes with questions of its own; of a person's archive only what it holds can be asked.
      if (sample) return { questions: (await import("#main/sample/questions.ts")).firstQuestions() };
      return { questions: await read.suggestions({}) };
    },
  };
}
