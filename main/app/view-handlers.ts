import type { Handlers } from "#contract";
import type { AppContext } from "./context.ts";

type Names = Extract<keyof Handlers, `views.${string}`>;

export function viewHandlers(app: AppContext): Pick<Handlers, Names> {
  return {
    async "views.failed"() {
      app.session();
      return { rows: [], total: 0 };
    },
    async "views.retry"() {
      app.session();
      return { count: 0 };
    },
  };
}
