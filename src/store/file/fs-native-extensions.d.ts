/** The one function that is used of a package without types of its own. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive kernel lock on an open file; false where another open file holds it. */
  export function tryLock(fd: number): boolean;
}
