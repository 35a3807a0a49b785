import { walk } from './walk.ts';

walk('poll', 'download');
