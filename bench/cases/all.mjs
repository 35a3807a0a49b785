import { photos } from './photos.mjs';
import { plans } from './plans.mjs';
import { report } from './report.mjs';
import { starts } from './starts.mjs';
import { state } from './state.mjs';
import { throughput } from './throughput.mjs';
import { workers } from './workers.mjs';

export const cases = [...throughput, ...starts, ...plans, ...photos, ...state, ...report, ...workers];
