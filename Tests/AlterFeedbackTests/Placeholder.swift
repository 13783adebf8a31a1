import Alter
