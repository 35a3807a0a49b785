export type Deferred<T> = ReturnType<typeof deferred<T>>;

/** As `Promise.withResolvers`, which Node 20 lacks. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}
