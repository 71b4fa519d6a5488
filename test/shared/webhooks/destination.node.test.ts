/** The same tests as in workerd: destinations are judged by tools in Node, too. */
import './destination.test.ts'
