/** The name of the environment whose service runs inside the process; it stands in the place of a base URL too. */
export const EMULATOR = 'emulator';
