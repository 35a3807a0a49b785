import { walk } from './walk.ts';

walk('upload', 'lookup', 'read', 'update', 'delete');
