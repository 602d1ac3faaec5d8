// Starts the page.
import { drawWork } from './engine.js';
import { follow, onShow } from './tabs.js';
import { linkTerms } from './terms.js';
import './start.js';
import './row.js';
import './overlay.js';
import './rows.js';
import './find.js';
import './ask.js';
import './lesson.js';
import './verify.js';

linkTerms();
onShow(drawWork);
follow();
