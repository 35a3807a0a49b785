/** The functions that are used of a package without types of its own. */
declare module 'fs-native-extensions' {
  /** Takes a kernel lock on an open file, an exclusive one unless `shared`; false where another open file holds it. */
  export function tryLock(fd: number, how?: { readonly shared: boolean }): boolean;
  /** Makes an exclusive lock a shared one, without a moment in between. */
  export function tryDowngradeLock(fd: number): boolean;
}
