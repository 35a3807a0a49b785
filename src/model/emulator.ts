/** The environment whose service runs inside the process. States of it have this name as their base URL, too. */
export const EMULATOR = 'emulator';
