import {
  api,
  type CallContext,
  type CallMethod,
  type Handlers,
  type Item,
  type Method,
  type Output,
  type StreamMethod,
} from "#contract";

/**
 * Looks into the contract by a method's name. TypeScript cannot follow an indexed access through the map of a generic
 * method, so the look-ups stand here, once, next to the map whose shape makes them true.
 */

interface Schema<T> {
  parse(value: unknown): T;
}

export function outputSchema<M extends CallMethod>(method: M): Schema<Output<M>> {
  const definition: object = api[method];
  return Reflect.get(definition, "output");
}

export function itemSchema<M extends StreamMethod>(method: M): Schema<Item<M>> {
  const definition: object = api[method];
  return Reflect.get(definition, "item");
}

/** The handler of a method, for an input that has been parsed with the method's own schema. */
export function handlerOf(
  handlers: Handlers,
  method: Method,
): (input: unknown, context: CallContext) => Promise<unknown> | AsyncIterable<unknown> {
  const map: object = handlers;
  return Reflect.get(map, method);
}
