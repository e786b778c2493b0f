import type { Handlers } from "#contract";
import type { AppContext } from "./context.ts";

type Names = Extract<keyof Handlers, `views.${string}`>;

export function viewHandlers(app: AppContext): Pick<Handlers, Names> {
  return {
    /** Texts first, then pictures: two files, one list. */
    async "views.failed"({ purpose, offset, limit }) {
      const { index, read } = app.session();
      const none = { rows: [], total: 0 };
      const texts =
        purpose === undefined || purpose === "text-embedding" ? await index.failedEmbeddings({ offset, limit }) : none;
      const pictures =
        purpose === "text-embedding"
          ? none
          : await read.failedViews({
              ...(purpose === undefined ? {} : { purpose }),
              offset: Math.max(0, offset - texts.total),
              limit: Math.max(0, limit - texts.rows.length),
            });
      return { rows: [...texts.rows, ...pictures.rows], total: texts.total + pictures.total };
    },
    async "views.retry"({ purpose }) {
      const { index, store, catchUpModels } = app.session();
      const texts = purpose === undefined || purpose === "text-embedding" ? await index.retryEmbeddings({}) : 0;
      const pictures = purpose === "text-embedding" ? 0 : await store.retryPerceptions({ purpose: purpose ?? null });
      catchUpModels();
      return { count: texts + pictures };
    },
  };
}
