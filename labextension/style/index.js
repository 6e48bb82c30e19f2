import './card.css';
import './consent.css';
import './overview.css';
import './status.css';
