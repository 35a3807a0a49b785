import { walk } from './walk.ts';

walk('token', 'create');
