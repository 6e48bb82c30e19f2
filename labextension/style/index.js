import './card.css';
import './consent.css';
import './panel.css';
import './overview.css';
import './status.css';
